/** Things of everyday life in other languages; columns as in `foreign-actions.ts`. */
export const foreignEveryday = `
weather|天气 气象|天気 気象|날씨 기상|wetter|tiempo clima meteorológico|météo temps|tempo clima|погода погоду
forecast|预报|予報|예보|vorhersage wettervorhersage prognose|pronóstico|prévision prévisions|previsão|прогноз
temperature|温度 气温|気温 温度|온도 기온|temperatur|temperatura|température|temperatura|температура
air quality|空气质量|大気質 空気|대기질 미세먼지|luftqualität|calidad_del_aire|qualité_de_l'air|qualidade_do_ar|качество_воздуха
rain|雨|雨|비|regen|lluvia|pluie|chuva|дождь
city|城市 市|都市 市|도시|stadt|ciudad|ville|cidade|город
country|国家|国|국가 나라|land|país|pays|país|страна
location/place|位置 地点 地方|場所 位置|위치 장소|ort standort|lugar ubicación|lieu emplacement|lugar localização|место местоположение
nearby|附近 周边|近く 周辺|근처 주변|nähe umgebung|cerca cercano|proximité proche|perto próximo|рядом поблизости
map|地图|地図 マップ|지도|karte landkarte|mapa|carte|mapa|карта
route/direction|路线 路径 导航|経路 ルート 道順|경로 길찾기|route weg strecke|ruta|itinéraire trajet|rota|маршрут
distance|距离|距離|거리|entfernung distanz|distancia|distance|distância|расстояние
walk|步行 走路|徒歩|도보|fußweg laufen|caminar andando|marche pied|caminhar|пешком
drive/driving|驾车 开车|運転 車|운전|fahren fahrt|conducir|conduire|dirigir|вождение
cycling/bike|骑行 自行车|自転車|자전거|fahrrad radfahren|bicicleta|vélo|bicicleta|велосипед
parking|停车 停车场|駐車 駐車場|주차|parkplatz parken|aparcamiento estacionamiento|parking stationnement|estacionamento|парковка
train|火车 列车 高铁|電車 列車|기차 열차|zug bahn|tren|train|trem comboio|поезд
station|车站 站|駅|역|bahnhof station haltestelle|estación|gare station|estação|станция вокзал
ticket|车票 票 门票|切符 チケット|표 티켓|fahrkarte ticket karte|billete boleto entrada|billet|bilhete passagem ingresso|билет
flight|航班 飞机 机票|フライト 航空 飛行機 便|항공편 비행기|flug flüge|vuelo|vol|voo|рейс полёт
hotel|酒店 旅馆 宾馆|ホテル|호텔|hotel|hotel|hôtel|hotel|отель гостиница
accommodation/lodging/stay|住宿 民宿|宿 宿泊 民泊|숙소 숙박|unterkunft unterkünfte übernachtung ferienwohnung|alojamiento hospedaje|hébergement logement|hospedagem acomodação|жильё размещение
airbnb|爱彼迎|エアビー エアビーアンドビー|에어비앤비|||||
restaurant|餐厅 饭店 餐馆|レストラン 飲食店|식당 레스토랑|restaurant gaststätte|restaurante|restaurant|restaurante|ресторан
food/meal|食物 食品 美食 菜|食べ物 食事 料理|음식 식사|essen lebensmittel speise|comida alimento|nourriture repas|comida alimento|еда питание
recipe|食谱 菜谱|レシピ|레시피 조리법|rezept kochrezept|receta|recette|receita|рецепт
ingredient|食材 原料|材料 食材|재료|zutat zutaten|ingrediente|ingrédient|ingrediente|ингредиент
price/cost|价格 费用 多少钱|価格 値段 料金|가격 비용|preis kosten|precio coste costo|prix coût|preço custo|цена стоимость
stock|股票 股价|株 株価 株式|주식 주가|aktie aktien aktienkurs|acción acciones bursátil|action bourse|ação ações|акция акции
dividend|股息 分红|配当|배당|dividende dividenden|dividendo dividendos|dividende|dividendo|дивиденды
financial statement|财务报表 财报|財務諸表 決算|재무제표|jahresabschluss bilanz|estado_financiero|états_financiers|demonstrações_financeiras|финансовая_отчётность
income|收入|収入|수입|einkommen|ingreso ingresos|revenu|renda|доход
market|市场 行情|市場|시장|markt|mercado|marché|mercado|рынок
company|公司 企业|会社 企業|회사 기업|firma unternehmen|empresa compañía|entreprise société|empresa|компания
exchange rate|汇率|為替レート 為替|환율|wechselkurs|tipo_de_cambio tasa_de_cambio|taux_de_change|taxa_de_câmbio|курс_валют курс
exchange|兑换 兑|両替|환전|wechsel umtausch|cambio|échange change|câmbio|обмен
rate|率 利率|率 レート|율|kurs rate|tasa|taux|taxa|ставка
currency|货币 外汇|通貨|통화|währung|moneda divisa|devise monnaie|moeda|валюта
dollar/usd|美元|ドル|달러|dollar|dólar|dollar|dólar|доллар
euro/eur|欧元|ユーロ|유로|euro|euro|euro|euro|евро
cryptocurrency/crypto|加密货币 虚拟货币|暗号通貨 仮想通貨|암호화폐 가상화폐|kryptowährung krypto|criptomoneda|cryptomonnaie|criptomoeda|криптовалюта
bitcoin|比特币|ビットコイン|비트코인|bitcoin|bitcoin|bitcoin|bitcoin|биткоин
money|钱 资金|お金 金額|돈 금액|geld|dinero|argent|dinheiro|деньги
technology/tech|科技 技术 数码|技術 テクノロジー|기술|technik technologie|tecnología|technologie|tecnologia|технология технологии
business|商业 商务|ビジネス|비즈니스|geschäft wirtschaft|negocio negocios|affaires commerce|negócio negócios|бизнес
finance/financial|财经 金融 财务|金融 財務|금융 재무|finanzen finanz|finanzas financiero|finance financier|finanças financeiro|финансы финансовый
entertainment|娱乐|娯楽 エンタメ|엔터테인먼트 오락|unterhaltung|entretenimiento|divertissement|entretenimento|развлечения
society/social|社会|社会|사회|gesellschaft|sociedad|société|sociedade|общество
politics|政治 时政|政治|정치|politik|política|politique|política|политика
education|教育|教育|교육|bildung|educación|éducation|educação|образование
international/world|国际 世界 全球|国際 世界|국제 세계|international welt|internacional mundo|international monde|internacional mundo|международный мир
culture|文化|文化|문화|kultur|cultura|culture|cultura|культура
consumer|消费|消費|소비|verbraucher|consumidor|consommateur|consumidor|потребитель
guide/tutorial|攻略 指南 教程|ガイド 入門 攻略|가이드 안내|anleitung ratgeber|guía tutorial|guide tutoriel|guia tutorial|руководство
character/role|角色|キャラクター 役|캐릭터 역할|figur rolle|personaje rol|personnage rôle|personagem papel|персонаж роль
skill|技能|スキル 技能|기술 스킬|fähigkeit|habilidad|compétence|habilidade|навык
card|卡牌 卡片 卡|カード|카드|karte|tarjeta carta|carte|cartão carta|карта карточка
star|明星 星|スター 星|스타 별|stern|estrella|étoile star|estrela|звезда
programmer/developer|开发者 程序员|開発者|개발자|entwickler|desarrollador|développeur|desenvolvedor|разработчик
community|社区|コミュニティ|커뮤니티|gemeinschaft|comunidad|communauté|comunidade|сообщество
topic|话题 主题|話題 トピック|주제|thema|tema|sujet thème|tema tópico|тема
result|结果|結果|결과|ergebnis|resultado|résultat|resultado|результат
lunar calendar almanac|黄历 农历 老黄历|旧暦 暦|음력|||||
china/chinese|中国 中文|中国 中国語|중국 중국어|china chinesisch|china chino|chine chinois|china chinês|китай китайский
japan/japanese|日本 日文|日本 日本語|일본 일본어|japan japanisch|japón japonés|japon japonais|japão japonês|япония японский
tax|税 税收|税 税金|세금|steuer|impuesto|impôt taxe|imposto|налог
bank|银行|銀行|은행|bank|banco|banque|banco|банк
loan|贷款|ローン 融資|대출|kredit darlehen|préstamo|prêt|empréstimo|кредит
insurance|保险|保険|보험|versicherung|seguro|assurance|seguro|страховка
news|新闻 资讯|ニュース 報道|뉴스|nachrichten|noticia noticias|actualité nouvelles|notícia notícias|новости
trending/hot|热搜 热门 热点 热榜 潮流 流行|話題 トレンド 人気|인기 트렌드|trend beliebt|tendencia popular|tendance populaire|tendência popular|популярное тренды
rank/ranking|排行 榜单 排名 排行榜 榜|ランキング 順位|순위 랭킹|rangliste|clasificación|classement|classificação|рейтинг
paper/article|论文 文章|論文 記事|논문 기사|artikel aufsatz arbeit paper|artículo trabajo|article papier|artigo|статья статьи
scientific/academic|学术 科学|学術 科学|학술 과학|wissenschaftlich wissenschaft|científico académico|scientifique académique|científico acadêmico|научный научные
research|研究|研究|연구|forschung|investigación|recherche|pesquisa|исследование
book|书 书籍 图书|本 書籍|책 도서|buch bücher|libro|livre|livro|книга
author|作者|著者 作者|저자|autor|autor|auteur|autor|автор
dictionary|词典 字典|辞書|사전|wörterbuch|diccionario|dictionnaire|dicionário|словарь
word|单词 词语|単語 言葉|단어|wort wörter|palabra|mot|palavra|слово
language|语言|言語|언어|sprache|idioma lengua lenguaje|langue|idioma língua|язык
music|音乐|音楽|음악|musik|música|musique|música|музыка
song|歌曲 歌|曲 歌|노래|lied|canción|chanson|canção música|песня
lyrics|歌词|歌詞|가사|liedtext|letra|paroles|letra|текст_песни
movie/film|电影 影片|映画|영화|film kino|película cine|film cinéma|filme cinema|фильм кино
game|游戏|ゲーム|게임|spiel|juego|jeu|jogo|игра
chess|国际象棋 象棋|チェス|체스|schach|ajedrez|échecs|xadrez|шахматы
move|走法 着法|手|수|zug züge|jugada movimiento|coup coups|jogada|ход
champion|英雄|チャンピオン|챔피언|champion|campeón|champion|campeão|чемпион
sport|体育 运动|スポーツ|스포츠|sport|deporte|sport|esporte|спорт
match|比赛|試合|경기|spiel begegnung|partido|match|partida jogo|матч
player|球员 玩家|選手 プレイヤー|선수 플레이어|spieler|jugador|joueur|jogador|игрок
team|球队 团队|チーム|팀|mannschaft team|equipo|équipe|equipe time|команда
time|时间|時間 時刻|시간|zeit uhrzeit|hora tiempo|heure temps|hora tempo|время
date/day|日期 天|日付 日|날짜 일|datum tag|fecha día|date jour|data dia|дата день
timezone|时区|タイムゾーン 時間帯|시간대|zeitzone|zona_horaria|fuseau_horaire|fuso_horário|часовой_пояс
today|今天 今日|今日|오늘|heute|hoy|aujourd'hui|hoje|сегодня
tomorrow|明天|明日|내일|morgen|mañana|demain|amanhã|завтра
health|健康|健康|건강|gesundheit|salud|santé|saúde|здоровье
medical|医疗 医学|医療 医学|의료 의학|medizinisch medizin|médico medicina|médical médecine|médico medicina|медицинский медицина
doctor|医生|医師 医者|의사|arzt|médico doctor|médecin docteur|médico|врач
drug/medication|药物 药品 药|薬 医薬品|약 약물|medikament arznei|medicamento|médicament|medicamento remédio|лекарство препарат
disease|疾病 病|病気 疾患|질병|krankheit|enfermedad|maladie|doença|болезнь
symptom|症状|症状|증상|symptom|síntoma|symptôme|sintoma|симптом
clinical trial|临床试验|臨床試験|임상시험|klinische_studie|ensayo_clínico|essai_clinique|ensaio_clínico|клинические_испытания
gene|基因|遺伝子|유전자|gen gene|gen|gène|gene|ген
fitness/exercise/workout|健身 锻炼|運動 フィットネス トレーニング|운동 헬스|training fitness übung|ejercicio entrenamiento|exercice entraînement|exercício treino|тренировка упражнения
diet/nutrition|饮食 营养|食事 栄養|식단 영양|ernährung diät|dieta nutrición|régime nutrition|dieta nutrição|диета питание
law/legal|法律 法规|法律|법률|gesetz recht|ley legal|loi juridique|lei legal|закон
museum|博物馆|博物館 美術館|박물관 미술관|museum|museo|musée|museu|музей
art/artwork|艺术 艺术品 作品|芸術 美術 作品|예술 미술 작품|kunst kunstwerk|arte obra|art œuvre|arte obra|искусство
painting|画作 油画|絵画 絵|그림 회화|gemälde|pintura cuadro|peinture tableau|pintura|картина
object|物品 对象|物 オブジェクト|객체|objekt gegenstand|objeto|objet|objeto|объект
house/property|房子 房产 房屋|家 不動産 住宅|집 부동산|haus immobilie wohnung|casa inmueble vivienda piso|maison immobilier|casa imóvel|дом недвижимость
car|汽车 车|車 自動車|자동차|auto wagen fahrzeug|coche carro auto|voiture|carro|машина автомобиль
job|工作 职位 招聘|仕事 求人|일자리 직업 채용|arbeit stelle beruf|trabajo empleo|travail emploi|trabalho emprego|работа вакансия
resume|简历|履歴書|이력서|lebenslauf|currículum|cv|currículo|резюме
course|课程|講座 コース 授業|강좌 수업|kurs|curso|cours|curso|курс
school/university|学校 大学|学校 大学|학교 대학|schule universität|escuela universidad|école université|escola universidade|школа университет
product|产品 商品|商品 製品|상품 제품|produkt ware|producto|produit|produto|товар продукт
shop/store|商店 店铺 购物|店 ショップ 買い物|상점 쇼핑|geschäft laden einkaufen|tienda compras|magasin boutique achats|loja compras|магазин
order|订单|注文|주문|bestellung auftrag|pedido orden|commande|pedido|заказ
discount/coupon|折扣 优惠 优惠券|割引 クーポン|할인 쿠폰|rabatt gutschein|descuento cupón|réduction remise|desconto cupom|скидка купон
gift|礼物|贈り物 プレゼント|선물|geschenk|regalo|cadeau|presente|подарок
customer|客户 顾客|顧客|고객|kunde kunden|cliente|client|cliente|клиент
invoice|发票|請求書|청구서 송장|rechnung|factura|facture|fatura|счёт
payment|付款 支付|支払い 決済|결제|zahlung|pago|paiement|pagamento|платёж оплата
delivery/shipping|快递 物流 配送|配送 配達|배송|lieferung versand|envío entrega|livraison|entrega envio|доставка
review/rating|评价 评分|レビュー 評価|리뷰 평점|bewertung|reseña valoración|avis évaluation|avaliação|отзыв оценка
person/people|人 人物|人 人物|사람 인물|person personen|persona personas gente|personne gens|pessoa pessoas|человек люди
contact|联系人|連絡先|연락처|kontakt|contacto|contact|contato|контакт
phone|电话 手机|電話|전화|telefon handy|teléfono|téléphone|telefone|телефон
social media|社交媒体|ソーシャルメディア|소셜미디어|soziale_medien|redes_sociales|réseaux_sociaux|redes_sociais|социальные_сети
weibo|微博|||||||
douyin/tiktok|抖音|||||||
bilibili|哔哩哔哩 B站|||||||
zhihu|知乎|||||||
baidu|百度|||||||
bing|必应|||||||
wikipedia|维基百科|ウィキペディア|위키백과|wikipedia|wikipedia|wikipédia|wikipédia|википедия
google|谷歌|グーグル|구글|||||гугл
animal/pet|动物 宠物|動物 ペット|동물 반려동물|tier haustier|animal mascota|animal|animal|животное питомец
plant|植物|植物|식물|pflanze|planta|plante|planta|растение
color|颜色|色|색|farbe|color|couleur|cor|цвет
math|数学|数学|수학|mathematik|matemáticas|mathématiques|matemática|математика
expression/equation|表达式 方程|式 方程式|식 방정식|ausdruck gleichung|expresión ecuación|expression équation|expressão equação|выражение уравнение
sum|求和 总和|合計 和|합계|summe|suma|somme|soma|сумма
average|平均|平均|평균|durchschnitt mittelwert|promedio media|moyenne|média|среднее
area|面积|面積|면적|fläche|área superficie|surface aire|área|площадь
size|大小 尺寸|サイズ 大きさ|크기|größe|tamaño|taille|tamanho|размер
horoscope|星座 运势|星座 占い 運勢|별자리 운세|horoskop|horóscopo|horoscope|horóscopo|гороскоп
poem|诗|詩|시|gedicht|poema|poème|poema|стихотворение
joke|笑话|冗談 ジョーク|농담|witz|chiste broma|blague|piada|шутка
history|历史|歴史|역사|geschichte|historia|histoire|história|история
space|太空 宇宙|宇宙|우주|weltraum|espacio|espace|espaço|космос
earthquake|地震|地震|지진|erdbeben|terremoto|séisme|terremoto|землетрясение
subscription|订阅|サブスクリプション|구독|abonnement|suscripción|abonnement|assinatura|подписка
`
